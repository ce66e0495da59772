from .boltzmann.deep_belief import DeepBeliefNetwork, DeepBeliefStep
from .boltzmann.machine import BoltzmannMachine, BoltzmannStep
from .boltzmann.restricted import RestrictedBoltzmannMachine, RestrictedStep
from .cnn.algorithm import ConvNet, ConvNetStep
from .cnn.convolution import average_pool2d, convolve2d, max_pool2d
from .gradient_descent.algorithm import GradientDescent
from .gradient_descent.race import DescentStep
from .hopfield.algorithm import Hopfield, HopfieldStep
from .mlp.algorithm import MLPClassifier
from .mlp.cascade import CascadeCorrelationClassifier, CascadeStep
from .mlp.network import MLPStep
from .mlp.pruned import PrunedMLPClassifier, PruningStep
from .mlp.regressor import MLPRegressor
from .perceptron.algorithm import Adaline, Perceptron
from .perceptron.kernel import KernelPerceptron, KernelStep
from .perceptron.neuron import NeuronStep
from .perceptron.voted import VotedPerceptron
from .rnn.algorithm import LSTM, NARX, ElmanNetwork
from .rnn.network import RecurrentStep
from .vanishing_gradients.algorithm import DeepMLPClassifier, DeepStep

__all__ = [
    "LSTM",
    "NARX",
    "Adaline",
    "BoltzmannMachine",
    "BoltzmannStep",
    "CascadeCorrelationClassifier",
    "CascadeStep",
    "ConvNet",
    "ConvNetStep",
    "DeepBeliefNetwork",
    "DeepBeliefStep",
    "DeepMLPClassifier",
    "DeepStep",
    "DescentStep",
    "ElmanNetwork",
    "GradientDescent",
    "Hopfield",
    "HopfieldStep",
    "KernelPerceptron",
    "KernelStep",
    "MLPClassifier",
    "MLPRegressor",
    "MLPStep",
    "NeuronStep",
    "Perceptron",
    "PrunedMLPClassifier",
    "PruningStep",
    "RecurrentStep",
    "RestrictedBoltzmannMachine",
    "RestrictedStep",
    "VotedPerceptron",
    "average_pool2d",
    "convolve2d",
    "max_pool2d",
]
