import { Button, Text } from '@mantine/core'
import type { IssuedPersonLink } from '../../shared/console/people.ts'
import { isDesktop } from '../bridge/clients.ts'
import { ShownOnce } from '../components/dialog/shown-once.tsx'
import { Quiet } from '../components/text/quiet.tsx'
import { When } from '../components/text/when.tsx'
import { text } from './strings.ts'

interface Props {
  readonly link: IssuedPersonLink
  readonly onClose: () => void
}

/** The one place where a link is ever shown. The screen cannot be left before it was copied. */
export function IssuedLink({ link, onClose }: Props) {
  const hasAddress = !isDesktop() || link.console !== null
  return (
    <ShownOnce
      stay={text.link.stay}
      once={
        <Text size="sm">
          {text.link.once} <When at={link.expiresAt} />.
        </Text>
      }
      label={text.link[link.kind]}
      text={addressOf(link)}
      buttons={(onDone) => <Button onClick={onDone}>{text.link.done}</Button>}
      onClose={onClose}
    >
      {link.mailed && link.person.email !== null && (
        <Text size="sm">{text.link.mailed(link.person.email)}</Text>
      )}
      {!hasAddress && <Quiet>{text.link.withoutAddress}</Quiet>}
    </ShownOnce>
  )
}

/** The title of the dialog that shows a link. */
export function titleOfLink({ kind, person }: IssuedPersonLink): string {
  return text.link.titleFor(text.link[kind], person.name)
}

/** In a browser by the address under which this page reached the server, which no server knows better. */
function addressOf({ token, console }: IssuedPersonLink): string {
  const path = `#/link/${token}`
  if (!isDesktop()) return new URL(path, document.baseURI).href
  return `${console ?? '/console/'}${path}`
}
