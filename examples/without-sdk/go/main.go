// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors

// An admission check with Go's standard library alone; replace decide by your own.
//
// It finds its cluster by KUEUE4J_SERVER (a URL without credentials, such as that of "kubectl proxy"),
// or in a pod by the service account.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	controller = "example.com/approval"
	kueue      = "/apis/kueue.x-k8s.io/v1beta2"
	account    = "/var/run/secrets/kubernetes.io/serviceaccount"
)

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Since   string `json:"lastTransitionTime"`
}

type entry struct {
	Name       string `json:"name"`
	State      string `json:"state"`
	RetryCount int    `json:"retryCount"`
}

// object has what matters of an AdmissionCheck or a Workload. It is never written back.
type object struct {
	Metadata struct {
		Name            string            `json:"name"`
		Namespace       string            `json:"namespace"`
		ResourceVersion string            `json:"resourceVersion"`
		Deleted         *string           `json:"deletionTimestamp"`
		Labels          map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		ControllerName string `json:"controllerName"`
		Active         *bool  `json:"active"`
	} `json:"spec"`
	Status struct {
		Conditions []condition `json:"conditions"`
		Checks     []entry     `json:"admissionChecks"`
	} `json:"status"`
}

func (o object) is(kind string) bool {
	for _, each := range o.Status.Conditions {
		if each.Type == kind {
			return each.Status == "True"
		}
	}
	return false
}

type verdict struct {
	state, message string
	delaySeconds   int // With Retry.
}

// decide is the check.
func decide(workload object, asked entry) verdict {
	if workload.Metadata.Labels["example.com/approved"] == "no" {
		return verdict{"Retry", fmt.Sprintf("Not approved yet, attempt %d.", asked.RetryCount), 300}
	}
	return verdict{state: "Ready", message: "Approved."}
}

type api struct {
	url     string
	client  *http.Client // For requests; a watch is silent for minutes.
	watches *http.Client
}

func connect() (api, error) {
	if url := os.Getenv("KUEUE4J_SERVER"); url != "" {
		watches := &http.Client{}
		return api{strings.TrimRight(url, "/"), &http.Client{Timeout: 30 * time.Second}, watches}, nil
	}
	authority, err := os.ReadFile(account + "/ca.crt")
	if err != nil {
		return api{}, fmt.Errorf("set KUEUE4J_SERVER, or run in a pod: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	host := net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	return api{"https://" + host,
		&http.Client{Transport: transport, Timeout: 30 * time.Second},
		&http.Client{Transport: transport}}, nil
}

type refused struct {
	status int
	answer string
}

func (r refused) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.answer) }

func (a api) send(client *http.Client, method, path, kind string, body any) (*http.Response, error) {
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequest(method, a.url+path, &content)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/"+kind+"+json")
	}
	if strings.HasPrefix(a.url, "https:") {
		token, err := os.ReadFile(account + "/token") // Renewed now and then.
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		answer, _ := io.ReadAll(response.Body) // The status alone says enough.
		return nil, refused{response.StatusCode, string(answer)}
	}
	return response, nil
}

func (a api) call(method, path, kind string, body, result any) error {
	response, err := a.send(a.client, method, path, kind, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(result)
}

type list struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Items []object `json:"items"`
}

type news struct {
	resource string
	item     *object // Nil after a list or a deletion: objects that were known may be gone.
}

// follow sends every version of the objects: a list, then a watch, over and over.
func (a api) follow(resource string, seen chan<- news) {
	for {
		var objects list
		err := a.call("GET", kueue+"/"+resource, "", nil, &objects)
		if err == nil {
			for index := range objects.Items {
				seen <- news{resource, &objects.Items[index]}
			}
			seen <- news{resource, nil}
			err = a.watch(resource, objects.Metadata.ResourceVersion, seen)
		}
		log.Printf("%s: %v; listing again", resource, err)
		time.Sleep(time.Second)
	}
}

// watch returns when the connection breaks or the server has forgotten the version.
func (a api) watch(resource, version string, seen chan<- news) error {
	for {
		path := fmt.Sprintf("%s/%s?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=%s",
			kueue, resource, version)
		response, err := a.send(a.watches, "GET", path, "", nil)
		if err != nil {
			return err
		}
		events := json.NewDecoder(response.Body)
		for {
			var event struct {
				Type   string `json:"type"`
				Object object `json:"object"`
			}
			if err = events.Decode(&event); err != nil {
				break
			}
			if event.Type == "ERROR" { // 410: begin with a list again.
				response.Body.Close()
				return errors.New("the server has forgotten version " + version)
			}
			version = event.Object.Metadata.ResourceVersion
			switch event.Type {
			case "ADDED", "MODIFIED":
				seen <- news{resource, &event.Object}
			case "DELETED":
				seen <- news{resource, nil}
			}
		}
		response.Body.Close()
		if err != io.EOF {
			return err
		}
	}
}

type check struct {
	api  api
	seen chan<- news
	mine map[string]bool // The names of our AdmissionChecks.
}

func (c *check) saw(each news) error {
	if each.resource == "admissionchecks" {
		return c.reviewChecks()
	}
	if each.item == nil {
		return nil
	}
	return c.answer(*each.item)
}

// reviewChecks finds out which checks are ours now; they are few, so all are listed after a change of any.
func (c *check) reviewChecks() error {
	var checks list
	if err := c.api.call("GET", kueue+"/admissionchecks", "", nil, &checks); err != nil {
		return err
	}
	mine := map[string]bool{}
	added := false
	for _, each := range checks.Items {
		if each.Spec.ControllerName == controller {
			mine[each.Metadata.Name] = true
			added = added || !c.mine[each.Metadata.Name]
		}
	}
	if added { // Workloads may have been seen before their check.
		var workloads list
		if err := c.api.call("GET", kueue+"/workloads", "", nil, &workloads); err != nil {
			return err
		}
		go func() { // The channel is bounded, and its reader is here.
			for index := range workloads.Items {
				c.seen <- news{"workloads", &workloads.Items[index]}
			}
		}()
	}
	c.mine = mine
	for _, each := range checks.Items {
		if mine[each.Metadata.Name] {
			if err := c.sayActive(each); err != nil {
				return err
			}
		}
	}
	return nil
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

func (c *check) sayActive(item object) error {
	if item.is("Active") {
		return nil
	}
	active := condition{"Active", "True", "Active", "The check is working", now()}
	patch := map[string]any{"status": map[string]any{"conditions": []condition{active}}}
	return c.api.call("PATCH", kueue+"/admissionchecks/"+item.Metadata.Name+"/status", "merge-patch", patch, &object{})
}

// asks returns the index of the first entry of ours that asks now, or -1.
func (c *check) asks(workload object) int {
	if workload.Metadata.Deleted != nil || (workload.Spec.Active != nil && !*workload.Spec.Active) ||
		!workload.is("QuotaReserved") || workload.is("Evicted") || workload.is("Finished") {
		return -1
	}
	for index, each := range workload.Status.Checks {
		if c.mine[each.Name] && each.State == "Pending" {
			return index
		}
	}
	return -1
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// answer answers what this version asks, and decides again if the object has changed meanwhile.
func (c *check) answer(workload object) error {
	path := kueue + "/namespaces/" + workload.Metadata.Namespace + "/workloads/" + workload.Metadata.Name
	for index := c.asks(workload); index >= 0; index = c.asks(workload) {
		asked := workload.Status.Checks[index]
		said := decide(workload, asked)
		place := fmt.Sprintf("/status/admissionChecks/%d/", index)
		patch := []operation{
			// Refused with 409 if anything of the Workload has changed since it was read.
			{"replace", "/metadata/resourceVersion", workload.Metadata.ResourceVersion},
			{"test", place + "name", asked.Name},
			{"replace", place + "state", said.state},
			{"replace", place + "message", said.message},
			{"replace", place + "lastTransitionTime", now()},
		}
		if said.state == "Retry" {
			patch = append(patch, operation{"add", place + "requeueAfterSeconds", said.delaySeconds})
		}
		var after object
		err := c.api.call("PATCH", path+"/status", "json-patch", patch, &after)
		var no refused
		if errors.As(err, &no) && (no.status == 409 || no.status == 422) {
			err = c.api.call("GET", path, "", nil, &after)
			if err == nil && no.status == 422 && after.Metadata.ResourceVersion == workload.Metadata.ResourceVersion {
				return no // Nothing has changed: the server finds the verdict itself invalid.
			}
		}
		if err != nil {
			return err
		}
		workload = after // Another check of ours, or another question.
	}
	return nil
}

func main() {
	server, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	seen := make(chan news, 100)
	for _, resource := range []string{"admissionchecks", "workloads"} {
		go server.follow(resource, seen)
	}
	c := check{server, seen, map[string]bool{}}
	for each := range seen {
		err := c.saw(each)
		var no refused
		gone := each.resource == "workloads" && errors.As(err, &no) && no.status == 404
		if err == nil || gone {
			continue
		}
		name := ""
		if each.item != nil {
			name = each.item.Metadata.Name
		}
		log.Printf("%s %s: %v; again in a second", each.resource, name, err)
		again := each
		time.AfterFunc(time.Second, func() { seen <- again })
	}
}
