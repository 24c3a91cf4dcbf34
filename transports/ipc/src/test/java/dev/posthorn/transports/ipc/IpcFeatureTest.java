package dev.posthorn.transports.ipc;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class IpcFeatureTest extends TransportFeature {}
