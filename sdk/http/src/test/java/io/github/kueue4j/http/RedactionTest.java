// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import okhttp3.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a server's words an operator's log shows. */
class RedactionTest {
  /** With characters that URLs, JSON and HTML write otherwise. */
  private static final String TOKEN = "geheim/+=\"&<tok>%'en";

  private static Redaction redaction(String header, String value) {
    return Redaction.of(
        new Request.Builder()
            .url("https://gate.example/check?api_key=anfrage77&name=train")
            .header("User-Agent", "kueue4j")
            .header("Accept", "application/json")
            .header(header, value)
            .build(),
        HttpCall.get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        TOKEN,
        "geheim%2F%2B%3D%22%26%3Ctok%3E%25%27en",
        "geheim\\/+=\\\"&<tok>%'en",
        "geheim/+=&quot;&amp;&lt;tok&gt;%&#39;en",
        "geheim/+=&quot;&amp;&lt;tok&gt;%&#x27;en",
        "geheim&#x2F;+=&quot;&amp;&lt;tok&gt;%&#x27;en",
        "Z2VoZWltLys9IiY8dG9rPiUnZW4="
      })
  void whatWasSentIsStruckOutInEachOfItsForms(String echoed) {
    String shown = redaction("X-Anything", TOKEN).excerpt("you sent " + echoed + " and no more");

    assertThat(shown).isEqualTo("you sent *** and no more");
  }

  @Test
  void aBearerTokenAndAPasswordAreFoundWithoutTheirScheme() {
    assertThat(redaction("Authorization", "Bearer abcdefgh").excerpt("who is abcdefgh?"))
        .isEqualTo("who is ***?");
    assertThat(redaction("Authorization", "Bearer abcd").excerpt("who is abcd?"))
        .isEqualTo("who is ***?");
    assertThat(
            redaction("Authorization", "Basic bWU0NTpwYXNzLXdvcmQ=")
                .excerpt("bWU0NTpwYXNzLXdvcmQ= is me45 with pass-word, me45:pass-word"))
        .isEqualTo("*** is *** with ***, ***");
  }

  @Test
  void aHeaderOfTheEndpointIsStruckOutAndThoseOfEveryRequestStay() {
    assertThat(
            redaction("X-Tenant", "batch")
                .excerpt("kueue4j asked for train as application/json with anfrage77 for batch"))
        .isEqualTo("kueue4j asked for train as application/json with *** for ***");
    assertThat(redaction("Cache-Control", "no-cache").excerpt("kueue4j sent no-cache"))
        .isEqualTo("kueue4j sent no-cache");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "Authorization: Bearer abc.def-123 came",
        "Authorization: Basic bWU6cGFzcw== came",
        "Proxy-Authorization: Token of=a, user hunter2",
        "password=hunter2 and more",
        "DB_PASSWORD: hunter2",
        "{\"db\": {\"password\": \"hunter2 \\\" hunter2\"}}",
        "{\"text\": \"{\\\"apiKey\\\": \\\"hunter2\\\"}\"}",
        "{\"Authorization\": [\"Digest hunter2\"]}",
        "{'client_secret': 'hunter2'}",
        "secret => hunter2",
        "?access_token=hunter2&x=1",
        "postgres://app:hunter2@db:5432/main is down",
        "CREATE USER app PASSWORD 'hunter2'",
        "<tr><td>DB_PASSWORD</td><td>hunter2</td></tr>",
        "<b>Api-Key</b>: <code>hunter2</code>",
        "Cookie: a=hunter2; b=hunter2",
        "\"Set-Cookie\": \"a=hunter2; b=hunter2\"",
        "the token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2 is old",
        "AKIAHUNTER2HUNTER2AB",
        "ghp_hunter2hunter2hunter2",
        "-----BEGIN RSA PRIVATE KEY-----\\nhunter2\\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\\nhunter2 to the end"
      })
  void whatLooksLikeACredentialIsStruckOut(String text) {
    assertThat(Redaction.OF_FORMS.excerpt(text))
        .contains("***")
        .doesNotContainIgnoringCase("hunter2")
        .doesNotContain("abc.def", "bWU6", "eyJ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RBAC: access denied",
        "<html> <h1>403 Forbidden</h1> nginx </html>",
        "Basic authentication is required",
        "upstream connect error or disconnect/reset before headers",
        "no healthy upstream at http://gate.example:8080/check"
      })
  void whatHelpsTheOperatorStays(String text) {
    assertThat(Redaction.OF_FORMS.excerpt(text)).isEqualTo(text);
  }

  @Test
  void oneLineOf200Characters() {
    assertThat(Redaction.OF_FORMS.excerpt("a\r\n\tb" + "c".repeat(100_000)))
        .startsWith("a bccc")
        .hasSize(204);
  }

  @Test
  void aCutTextDoesNotEndInTheFirstHalfOfASecret() {
    Redaction redaction = redaction("X-Key", "s".repeat(2000) + "geheim");
    String many = ("s".repeat(2000) + "geheim ").repeat(8);

    assertThat(redaction.excerpt(many.substring(0, many.length() - 500), true))
        .doesNotContain("sss");
  }

  @Test
  void hostileTextsTakeNoTime() {
    for (String piece :
        List.of("password", "a://", "<a>", "\\\"", "token=\"\\", "cookie:", "eyJa.")) {
      assertThat(Redaction.OF_FORMS.excerpt(piece.repeat(100_000 / piece.length())))
          .hasSizeLessThan(300);
    }
  }
}
