import { Code, Text } from '@mantine/core'
import { IconCertificate, IconDatabaseX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type CertificateState, expiryOf } from '../../shared/certificate.ts'
import type { DatabaseTrouble } from '../../shared/database-file.ts'
import { server } from '../bridge/clients.ts'
import { useIsOwnServer } from '../bridge/servers.tsx'
import { Notice } from '../components/notice.tsx'
import { When } from '../components/text/when.tsx'
import { NotAppliedNotice } from '../settings/not-applied-notice.tsx'
import classes from './layout.module.css'
import { DATABASE_WORDS, EXPIRY_TITLES, REFUSED_WORDS, text } from './strings.ts'

/** Milliseconds between status checks. */
const LOOK = 5_000

/** Shows problems with the database or the certificate above every screen. */
export function ServerNotices() {
  const isOwn = useIsOwnServer()
  const { data } = useQuery(server.status.get.queryOptions(undefined, { refetchInterval: LOOK }))
  return (
    <div className={classes.notices}>
      {isOwn && <NotAppliedNotice />}
      <DatabaseNotice database={data?.database ?? null} />
      <CertificateNotice certificate={data?.certificate ?? null} />
    </div>
  )
}

/** Shows that the database file of the running server is missing, replaced or emptied. */
function DatabaseNotice({ database }: { readonly database: DatabaseTrouble | null }) {
  if (database === null) return null
  const { title, fix } = DATABASE_WORDS[database.issue]
  return (
    <Notice icon={IconDatabaseX} color="red" title={title}>
      <Text size="sm">
        <Code>{database.file}</Code>, {text.database.noticed} <When at={database.since} />.{' '}
        {text.database.effect} {fix}
      </Text>
    </Notice>
  )
}

/** Shows that the server's certificate expires soon, or that its replacement cannot be used. */
function CertificateNotice({ certificate }: { readonly certificate: CertificateState | null }) {
  if (certificate === null) return null
  const { expiresAt, refused } = certificate
  const expiry = expiryOf(expiresAt, Date.now())
  if (refused === null && expiry === 'ok') return null
  return (
    <Notice
      icon={IconCertificate}
      color={expiry === 'expired' ? 'red' : 'yellow'}
      title={expiry === 'ok' ? text.certificate.refused : EXPIRY_TITLES[expiry]}
    >
      {refused === null ? (
        <>
          {text.certificate.validUntil} <When at={expiresAt} />. {text.certificate.replace}
        </>
      ) : (
        <>
          {REFUSED_WORDS[refused.issue]} {text.certificate.previous} <When at={expiresAt} />.
        </>
      )}
    </Notice>
  )
}
