package dev.posthorn.spring;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.transport.Verdict;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls an annotated method with what it asks for. */
final class HandlerMethod implements dev.posthorn.inbox.EventHandler<Connection> {

    /** What one parameter gets. */
    private interface Argument {
        Object of(Event event, Connection connection);
    }

    private final Supplier<Object> bean;
    private final Method method;
    private final List<Argument> arguments;

    private HandlerMethod(Supplier<Object> bean, Method method, List<Argument> arguments) {
        this.bean = bean;
        this.method = method;
        this.arguments = List.copyOf(arguments);
    }

    /** Checks what the method asks for; whatever is wrong with it is added to the faults. */
    static HandlerMethod of(Supplier<Object> bean, Method method, @Nullable PayloadCodec codec, List<String> faults) {
        List<Argument> arguments = new ArrayList<>();
        int payloads = 0;
        for (Class<?> type : method.getParameterTypes()) {
            if (type == Event.class) {
                arguments.add((event, connection) -> event);
            } else if (type == Connection.class) {
                arguments.add((event, connection) -> connection);
            } else {
                arguments.add(payload(type, codec, method, faults));
                payloads++;
            }
        }
        if (payloads > 1) {
            faults.add(nameOf(method) + " has " + payloads
                    + " parameters that would be the payload; one may be, beside an" + " Event and a Connection");
        }
        if (Modifier.isPrivate(method.getModifiers())) {
            faults.add(
                    nameOf(method) + " is private, so a proxy of its bean could not pass the call on; make it visible");
        }
        Class<?> answer = method.getReturnType();
        if (answer != void.class && answer != Verdict.class) {
            faults.add(
                    nameOf(method) + " returns " + answer.getSimpleName() + ", but must return nothing or a Verdict");
        }
        method.setAccessible(true);
        return new HandlerMethod(bean, method, arguments);
    }

    static String nameOf(Method method) {
        return "@EventHandler " + method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private static Argument payload(Class<?> type, @Nullable PayloadCodec codec, Method method, List<String> faults) {
        if (type == byte[].class) {
            return (event, connection) -> event.payloadBytes();
        }
        if (type == String.class) {
            return (event, connection) -> new String(event.payloadBytes(), StandardCharsets.UTF_8);
        }
        if (codec == null) {
            faults.add(nameOf(method) + " wants its payload as " + type.getSimpleName()
                    + ", but there is no PayloadCodec; add a bean of that type");
            return (event, connection) -> event;
        }
        return (event, connection) -> decoded(event, type, codec);
    }

    /** Another attempt would not make it readable. */
    private static Object decoded(Event event, Class<?> type, PayloadCodec codec) {
        try {
            return event.payloadAs(type, codec);
        } catch (PosthornException unreadable) {
            throw new DeadLetterException(new Cause.Rejected(String.valueOf(unreadable.getMessage())));
        }
    }

    @Override
    public Verdict handle(Event event, Connection transaction) throws Exception {
        Object[] given = arguments.stream()
                .map(argument -> argument.of(event, transaction))
                .toArray();
        try {
            return method.invoke(bean.get(), given) instanceof Verdict verdict ? verdict : Verdict.done();
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getTargetException();
            if (cause instanceof Exception failure) {
                throw failure;
            }
            if (cause instanceof Error grave) {
                throw grave;
            }
            throw thrown;
        }
    }
}
