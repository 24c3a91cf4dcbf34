package dev.posthorn.spring;

import org.springframework.context.SmartLifecycle;

/**
 * In which order parts start; they stop the other way round. Consumers stop first and take nothing new, then web servers finish
 * their requests (Spring Boot's phases are 1,024 and 2,048 below the default one), then relays publish what was emitted.
 */
final class Phases {

    static final int CONSUMERS = SmartLifecycle.DEFAULT_PHASE - 512;
    static final int RELAYS = SmartLifecycle.DEFAULT_PHASE - 4_096;
    static final int LOOKOUT = SmartLifecycle.DEFAULT_PHASE - 4_608;

    private Phases() {}
}
