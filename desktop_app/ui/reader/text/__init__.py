"""The view of documents as flowing text."""
