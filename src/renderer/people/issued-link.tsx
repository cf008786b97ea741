import { Button, Group, Stack, Text } from '@mantine/core'
import { type MouseEvent, useEffect, useRef } from 'react'
import type { IssuedPersonLink } from '../../shared/console/people.ts'
import { isDesktop } from '../bridge/clients.ts'
import { StayGuard } from '../components/dialog/leave-guard.tsx'
import { CodeBlock } from '../components/text/code-block.tsx'
import { When } from '../components/text/when.tsx'
import { text } from './strings.ts'

interface Props {
  readonly link: IssuedPersonLink
  readonly onClose: () => void
}

/** The one place where a link is ever shown. The screen cannot be left before it was copied. */
export function IssuedLink({ link, onClose }: Props) {
  const root = useRef<HTMLDivElement>(null)
  // Not the button: one more press of the Enter that created the link would let it go.
  useEffect(() => root.current?.querySelector<HTMLElement>('section')?.focus(), [])
  const close = ({ detail }: MouseEvent) => {
    // The second click of a double click on the button that created the link is no answer either.
    if (detail <= 1) onClose()
  }
  const hasAddress = !isDesktop() || link.console !== null
  return (
    <Stack ref={root}>
      <StayGuard refusal={text.link.stay} />
      <Text size="sm">
        {text.link.once} <When at={link.expiresAt} />.
      </Text>
      <CodeBlock title={text.link[link.kind]} text={addressOf(link)} />
      {link.mailed && link.person.email !== null && (
        <Text size="sm">{text.link.mailed(link.person.email)}</Text>
      )}
      {!hasAddress && (
        <Text size="sm" c="dimmed">
          {text.link.withoutAddress}
        </Text>
      )}
      <Group justify="end">
        <Button onClick={close}>{text.link.done}</Button>
      </Group>
    </Stack>
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
