/** Carries events between the processes of one host through Unix domain sockets. */
@NullMarked
package dev.posthorn.transports.ipc;

import org.jspecify.annotations.NullMarked;
