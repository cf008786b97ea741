import { IconServer2 } from '@tabler/icons-react'
import { useRemoteServer } from '../bridge/servers.tsx'
import classes from './servers.module.css'
import { text } from './strings.ts'

/** Across the top of the window while another server than this computer's is in use: which one, in its color. */
export function InUseBar() {
  const server = useRemoteServer()
  if (server === undefined) return null
  const { name, address, color, signedInAs } = server
  return (
    <section aria-label={text.bar} className={classes.bar} data-color={color}>
      <IconServer2 size={16} aria-hidden="true" />
      <span className={`cut ${classes.barName}`} title={name}>
        {name}
      </span>
      <span className={`cut ${classes.barAddress}`} title={address}>
        {address}
      </span>
      <span className={`cut ${classes.barPerson}`}>
        {signedInAs === null ? text.signedOut : text.signedInAs(signedInAs)}
      </span>
    </section>
  )
}
