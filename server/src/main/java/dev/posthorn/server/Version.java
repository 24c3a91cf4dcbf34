package dev.posthorn.server;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, for the command line. */
final class Version implements IVersionProvider {

    static String number() {
        return dev.posthorn.operations.Version.number();
    }

    @Override
    public String[] getVersion() {
        return new String[] {"posthorn " + number()};
    }
}
