package dev.posthorn.transports.snssqs;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class SnsSqsFeatureTest extends TransportFeature {}
