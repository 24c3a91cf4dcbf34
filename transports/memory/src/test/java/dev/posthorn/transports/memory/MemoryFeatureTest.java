package dev.posthorn.transports.memory;

import dev.posthorn.testkit.gherkin.TransportFeature;

class MemoryFeatureTest extends TransportFeature {}
