"""EvidenceGate: answers about medicine in which every sentence is bound to a literal quote."""
