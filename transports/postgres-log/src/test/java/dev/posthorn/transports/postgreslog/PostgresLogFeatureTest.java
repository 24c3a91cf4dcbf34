package dev.posthorn.transports.postgreslog;

import dev.posthorn.testkit.gherkin.TransportFeature;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class PostgresLogFeatureTest extends TransportFeature {}
