// Google's own fake of Pub/Sub, at a port of our choice.
package main

import (
	"log"
	"net"
	"os"

	"cloud.google.com/go/pubsub/pstest"
	pb "google.golang.org/genproto/googleapis/pubsub/v1"
	"google.golang.org/grpc"
)

func main() {
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fake := pstest.NewServer()
	server := grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20))
	pb.RegisterPublisherServer(server, &fake.GServer)
	pb.RegisterSubscriberServer(server, &fake.GServer)
	log.Fatal(server.Serve(listener))
}
