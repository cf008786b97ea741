import { Tooltip, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ComponentProps, MouseEvent } from 'react'
import type { ExtraProps } from 'react-markdown'
import { shell } from '../../bridge/clients.ts'

/** A link of the notes. It says where it leads, and opens in the browser of the machine. */
export function OutsideLink({ href, children }: ComponentProps<'a'> & ExtraProps) {
  const open = useMutation(shell.shell.openExternal.mutationOptions())
  const url = href === undefined ? null : URL.parse(href)
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children}</span>
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    const failed = () => notifications.show({ message: `${url.host} could not be opened.` })
    open.mutate(
      { url: url.href },
      { onSuccess: ({ opened }) => opened || failed(), onError: failed },
    )
  }
  return (
    <Tooltip label={url.href} multiline maw={480} style={{ overflowWrap: 'anywhere' }}>
      <a href={url.href} onClick={follow}>
        {children}
        <IconExternalLink size={14} stroke={1.75} aria-hidden="true" />
        <VisuallyHidden> (opens {url.host} in the browser)</VisuallyHidden>
      </a>
    </Tooltip>
  )
}
