"""Examination of answers: questions with known answers, asked in several modes and models."""
