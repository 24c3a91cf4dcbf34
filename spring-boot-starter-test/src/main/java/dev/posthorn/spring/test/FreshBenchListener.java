package dev.posthorn.spring.test;

import dev.posthorn.testkit.users.PosthornBench;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Tests of a class share the application, but not what each of them sees published. */
final class FreshBenchListener extends AbstractTestExecutionListener {

    @Override
    public void beforeTestMethod(TestContext context) {
        context.getApplicationContext().getBeanProvider(PosthornBench.class).ifAvailable(PosthornBench::forget);
    }
}
