from .perceptron.algorithm import Adaline, Perceptron
from .perceptron.neuron import NeuronStep

__all__ = [
    "Adaline",
    "NeuronStep",
    "Perceptron",
]
