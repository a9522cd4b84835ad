"""Models: language models, embeddings and the stance model."""
