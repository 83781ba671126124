"""Prove: one command under two plans in turn; is one faster, by how much, and do both compute the same?"""
