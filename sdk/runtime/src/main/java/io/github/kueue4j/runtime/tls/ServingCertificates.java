// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.tls;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import javax.security.auth.x500.X500Principal;
import org.apiguardian.api.API;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;

/**
 * A server's certificate chain and the certificate authorities that its clients are to trust.
 *
 * <p>An authority is valid for ten years, a certificate for one; each is replaced when a third of
 * its validity is left. A replaced authority stays trusted until it expires, because replicas
 * switch at different times.
 *
 * @param authorities to be trusted, the newest first; empty if an external tool issues the
 *     certificate
 * @param authorityKey private key of the newest authority; null if an external tool issues the
 *     certificate
 * @param chain the certificate of the server, then its issuers
 * @param key private key of the first certificate of the chain
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ServingCertificates(
    List<X509Certificate> authorities,
    @Nullable PrivateKey authorityKey,
    List<X509Certificate> chain,
    PrivateKey key) {
  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
  private static final Duration CERTIFICATE_LIFE = Duration.ofDays(365);

  /** Tolerance for clocks of other machines that are behind. */
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final Map<ASN1ObjectIdentifier, String> KEY_ALGORITHMS =
      Map.of(X9ObjectIdentifiers.id_ecPublicKey, "EC", PKCSObjectIdentifiers.rsaEncryption, "RSA");

  /** By the algorithm of the key: an authority that another implementation left has an RSA key. */
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA");

  private static final String AUTHORITY_NAME = "CN=kueue-ca";

  /** Keeps copies of the lists. */
  public ServingCertificates {
    authorities = List.copyOf(authorities);
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new InvalidCertificateException("there is no certificate in it");
    }
  }

  private record Authority(X509Certificate certificate, PrivateKey key) {}

  /** A new authority and a certificate issued by it. */
  public static ServingCertificates issue(
      List<String> hosts, Instant now, RandomGenerator serials) {
    return certified(newAuthority(now, serials), List.of(), hosts, now, serials);
  }

  /** These certificates with the ageing ones replaced; the same object if none is. */
  public ServingCertificates renewed(List<String> hosts, Instant now, RandomGenerator serials) {
    if (authorityKey == null) {
      return this;
    }
    List<X509Certificate> valid =
        authorities.stream()
            .filter(authority -> now.isBefore(authority.getNotAfter().toInstant()))
            .toList();
    if (authorities.isEmpty() || ageing(authorities.getFirst(), now)) {
      return certified(newAuthority(now, serials), valid, hosts, now, serials);
    }
    Authority current = new Authority(authorities.getFirst(), authorityKey);
    return ageing(chain.getFirst(), now) || !hosts(chain.getFirst()).containsAll(hosts)
        ? certified(current, valid.subList(1, valid.size()), hosts, now, serials)
        : this;
  }

  private static boolean ageing(X509Certificate certificate, Instant now) {
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    return now.isAfter(until.minus(Duration.between(from, until).dividedBy(3)));
  }

  private static List<String> hosts(X509Certificate certificate) {
    try {
      if (certificate.getSubjectAlternativeNames() == null) {
        return List.of();
      }
      return certificate.getSubjectAlternativeNames().stream()
          .map(name -> String.valueOf(name.get(1)))
          .toList();
    } catch (GeneralSecurityException e) {
      throw new InvalidCertificateException("its host names can't be read", e);
    }
  }

  private static Authority newAuthority(Instant now, RandomGenerator serials) {
    KeyPair keys = newKeys();
    X500Name name = new X500Name(AUTHORITY_NAME);
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            serial(serials),
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(now.plus(AUTHORITY_LIFE)),
            name,
            keys.getPublic());
    extend(
        builder,
        Extension.basicConstraints,
        new BasicConstraints(true),
        new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign));
    return new Authority(signed(builder, keys.getPrivate()), keys.getPrivate());
  }

  private static ServingCertificates certified(
      Authority authority,
      List<X509Certificate> formerAuthorities,
      List<String> hosts,
      Instant now,
      RandomGenerator serials) {
    KeyPair keys = newKeys();
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            authority.certificate(),
            serial(serials),
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(now.plus(CERTIFICATE_LIFE)),
            new X500Principal("CN=" + hosts.getFirst()),
            keys.getPublic());
    extend(
        builder,
        Extension.basicConstraints,
        new BasicConstraints(false),
        new KeyUsage(KeyUsage.digitalSignature));
    try {
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              hosts.stream()
                  .map(host -> new GeneralName(GeneralName.dNSName, host))
                  .toArray(GeneralName[]::new)));
    } catch (IOException e) {
      throw new IllegalStateException("extensions of a new certificate can't be encoded", e);
    }
    List<X509Certificate> authorities = new ArrayList<>();
    authorities.add(authority.certificate());
    authorities.addAll(formerAuthorities);
    return new ServingCertificates(
        authorities, authority.key(), List.of(signed(builder, authority.key())), keys.getPrivate());
  }

  private static void extend(
      X509v3CertificateBuilder builder,
      ASN1ObjectIdentifier identifier,
      BasicConstraints constraints,
      KeyUsage usage) {
    try {
      builder.addExtension(identifier, true, constraints);
      builder.addExtension(Extension.keyUsage, true, usage);
    } catch (IOException e) {
      throw new IllegalStateException("extensions of a new certificate can't be encoded", e);
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java can't make keys for certificates", e);
    }
  }

  private static BigInteger serial(RandomGenerator serials) {
    return BigInteger.valueOf(serials.nextLong(1, Long.MAX_VALUE));
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key) {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder(SIGNATURES.get(key.getAlgorithm())).build(key)));
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("this Java can't sign certificates", e);
    }
  }

  /** Parses certificates in PEM. */
  public static List<X509Certificate> certificates(String pem) {
    List<X509Certificate> found = new ArrayList<>();
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof X509CertificateHolder holder) {
          found.add(new JcaX509CertificateConverter().getCertificate(holder));
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new InvalidCertificateException("it isn't a certificate in PEM: " + e.getMessage(), e);
    }
    return found;
  }

  /** Parses a private key in PEM. */
  public static PrivateKey privateKey(String pem) {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof PEMKeyPair pair) {
          return decoded(pair.getPrivateKeyInfo());
        }
        if (part instanceof PrivateKeyInfo info) {
          return decoded(info);
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new InvalidCertificateException("it isn't a private key in PEM: " + e.getMessage(), e);
    }
    throw new InvalidCertificateException("there is no unencrypted private key in it");
  }

  private static PrivateKey decoded(PrivateKeyInfo info)
      throws IOException, GeneralSecurityException {
    ASN1ObjectIdentifier algorithm = info.getPrivateKeyAlgorithm().getAlgorithm();
    String name = KEY_ALGORITHMS.get(algorithm);
    if (name == null) {
      throw new InvalidCertificateException(
          "its algorithm " + algorithm + " isn't supported; use RSA or EC");
    }
    return KeyFactory.getInstance(name).generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
  }

  /** Certificates or keys in PEM, concatenated. */
  public static String pem(List<?> parts) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      for (Object part : parts) {
        writer.writeObject(
            part instanceof PrivateKey secret
                ? new PemObject("PRIVATE KEY", secret.getEncoded())
                : part);
      }
    } catch (IOException e) {
      throw new IllegalStateException("a certificate that was just made has no encoding", e);
    }
    return text.toString();
  }
}
