import { useQuery } from '@tanstack/react-query'
import { server } from '../bridge/clients.ts'
import { CertificateNotice } from './certificate-notice.tsx'
import { DatabaseNotice } from './database-notice.tsx'
import classes from './layout.module.css'

/** Milliseconds between status checks. */
const LOOK = 5_000

/** Shows problems with the database or the certificate above every screen. */
export function ServerNotices() {
  const { data } = useQuery(server.status.get.queryOptions(undefined, { refetchInterval: LOOK }))
  return (
    <div className={classes.notices}>
      <DatabaseNotice database={data?.database ?? null} />
      <CertificateNotice certificate={data?.certificate ?? null} />
    </div>
  )
}
