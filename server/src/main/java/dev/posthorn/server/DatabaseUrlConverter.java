package dev.posthorn.server;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.DatabaseUrl;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** For {@code --database-url}; its message never shows the password. */
final class DatabaseUrlConverter implements ITypeConverter<DatabaseUrl> {

    @Override
    public DatabaseUrl convert(String text) {
        try {
            return DatabaseUrl.parse(text);
        } catch (PosthornException invalid) {
            throw new TypeConversionException(invalid.getMessage());
        }
    }
}
