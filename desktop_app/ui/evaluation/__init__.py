"""The evaluation screen: questions with known answers, asked in several modes and models."""
