package dev.posthorn.server;

import dev.posthorn.console.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells of errors in one message, without passwords, and with a stack trace only if asked for. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("posthorn: " + Secrets.mask(String.valueOf(wrong.getMessage())));
        StringWriter suggestions = new StringWriter();
        UnmatchedArgumentException.printSuggestions(wrong, new PrintWriter(suggestions, true));
        if (!suggestions.toString().isBlank()) {
            err.println(Secrets.mask(suggestions.toString().strip()));
        }
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        err.println("posthorn: " + Secrets.mask(messageOf(failure)));
        if (isVerbose(command)) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            err.print(Secrets.mask(trace.toString()));
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static String messageOf(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static boolean isVerbose(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root.getCommand() instanceof Main main && main.verbose;
    }
}
