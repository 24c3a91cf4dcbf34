package dev.posthorn.transports.googlepubsub;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class GooglePubSubFeatureTest extends TransportFeature {}
