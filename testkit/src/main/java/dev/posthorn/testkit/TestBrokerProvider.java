package dev.posthorn.testkit;

/** How the feature finds the broker of a module: a {@link java.util.ServiceLoader service} on its test class path. */
public interface TestBrokerProvider {

    TestBroker start() throws Exception;
}
