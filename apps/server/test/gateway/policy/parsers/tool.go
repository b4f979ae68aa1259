// Prints which tool a server in Go would call for each body: a line of Base64 in, a line of JSON out.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
)

type message struct {
	Method string `json:"method"`
	Params struct {
		Name *string `json:"name"`
	} `json:"params"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		body, _ := base64.StdEncoding.DecodeString(lines.Text())
		var read message
		if json.Unmarshal(body, &read) != nil {
			fmt.Println("null")
			continue
		}
		name, _ := json.Marshal(read.Params.Name)
		fmt.Println(string(name))
	}
}
