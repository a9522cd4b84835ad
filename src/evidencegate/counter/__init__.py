"""Counterfactuals: what the literature would say if a claim were wrong, and whether it does."""
