package dev.posthorn.commands;

/**
 * Answers a request.
 *
 * @param <T> what it works in
 */
@FunctionalInterface
public interface HttpHandler<T> {

    /**
     * What it does in the transaction is kept together with the response, so that neither is without the other. A response of
     * 500 or more, and a throw, undo it: nothing is stored, and the next request with the key is handled again.
     */
    HttpResponse handle(HttpRequest request, T transaction) throws Exception;
}
