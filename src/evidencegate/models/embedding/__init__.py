"""Embeddings: a small model inside the package, run on the CPU without torch.

from evidencegate.models.embedding import default_embedder

vectors = default_embedder().embed(["Apixaban in dialysis", "Anticoagulation in kidney failure"])
"""

from evidencegate.models.embedding._embedder import TOKENIZER, Embedder, default_embedder, embedder, packaged_name

__all__ = ["TOKENIZER", "Embedder", "default_embedder", "embedder", "packaged_name"]
