package dev.posthorn.testkit.gherkin;

import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectClasspathResource;
import org.junit.platform.suite.api.Suite;

/** The feature as a test class: extend it, and name the broker in META-INF/services. */
@Suite
@IncludeEngines("cucumber")
@SelectClasspathResource("dev/posthorn/testkit/gherkin/transport.feature")
@ConfigurationParameter(key = "cucumber.glue", value = "dev.posthorn.testkit.gherkin")
@ConfigurationParameter(key = "cucumber.publish.quiet", value = "true")
@ConfigurationParameter(key = "cucumber.junit-platform.naming-strategy", value = "long")
public abstract class TransportFeature {}
