import { Alert } from '@mantine/core'
import { IconCertificate } from '@tabler/icons-react'
import { type CertificateState, expiryOf } from '../../shared/certificate.ts'
import { When } from '../components/when.tsx'
import { EXPIRY_TITLES, REFUSED_WORDS } from './strings.ts'

/** Shows that the server's certificate expires soon, or that its replacement cannot be used. */
export function CertificateNotice({
  certificate,
}: {
  readonly certificate: CertificateState | null
}) {
  if (certificate === null) return null
  const { expiresAt, refused } = certificate
  const expiry = expiryOf(expiresAt, Date.now())
  if (refused === null && expiry === 'ok') return null
  return (
    <Alert
      color={expiry === 'expired' ? 'red' : 'yellow'}
      icon={<IconCertificate aria-hidden="true" />}
      title={expiry === 'ok' ? 'The new certificate cannot be used' : EXPIRY_TITLES[expiry]}
    >
      {refused === null ? (
        <>
          It is valid until <When at={expiresAt} />. Replace the certificate and key files; the
          server loads them without a restart.
        </>
      ) : (
        <>
          {REFUSED_WORDS[refused.issue]} The previous certificate, valid until{' '}
          <When at={expiresAt} />, stays in use.
        </>
      )}
    </Alert>
  )
}
