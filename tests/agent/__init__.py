"""Tests of one turn: answers, history, the gate."""
