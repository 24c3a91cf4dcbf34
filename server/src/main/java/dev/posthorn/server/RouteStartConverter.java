package dev.posthorn.server;

import dev.posthorn.relay.RouteStart;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code now}, {@code beginning} and times. */
final class RouteStartConverter implements ITypeConverter<RouteStart> {

    @Override
    public RouteStart convert(String text) {
        try {
            return RouteStart.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(String.valueOf(invalid.getMessage()));
        }
    }
}
