// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

// An endpoint for http-check: at most three pods. go run endpoint.go
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
)

func decide(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		AttemptID string
		PodSets   []struct{ Count int }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	pods, answer := 0, map[string]string{"verdict": "Ready"}
	for _, each := range asked.PodSets {
		pods += each.Count
	}
	if pods > 3 {
		answer = map[string]string{"verdict": "Rejected", "reason": "TooManyPods",
			"message": fmt.Sprintf("At most 3 pods; it has %d.", pods)}
	}
	answer["attemptId"] = asked.AttemptID // No proxy can give this answer to another question.
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

func main() {
	http.HandleFunc("/", decide)
	log.Fatal(http.ListenAndServe("127.0.0.1:8089", nil))
}
