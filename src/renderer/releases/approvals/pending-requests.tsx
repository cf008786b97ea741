import { Stack } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { server } from '../../bridge/clients.ts'
import { Notice } from '../../components/blocks.tsx'
import { Small, TextLink, When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { changeInWords, text } from './strings.ts'

/** All open change requests that the person sees. */
export const OPEN_REQUESTS = server.changeRequests.list.queryOptions({ state: 'open' })

interface Props {
  /** A release, whose requests are shown; without it, those of this person. */
  readonly release?: ReleasePlace
}

/** The open change requests of a release or person, each with a link; nothing for none. */
export function PendingRequests({ release }: Props) {
  const { data = [] } = useQuery(OPEN_REQUESTS)
  const waiting = data.filter(({ closed, mayWithdraw, app, channel, version }) => {
    if (closed !== null) return false
    if (release === undefined) return mayWithdraw
    return app === release.app && channel === release.channel && version === release.version
  })
  if (waiting.length === 0) return null
  return (
    <Stack gap="xs" mb={release === undefined ? 0 : 'md'}>
      {waiting.map((request) => (
        <Notice key={request.id} icon={IconChecklist} color="tide" title={text.waiting}>
          <TextLink to={paths.approval(request.id)}>{changeInWords(request)}</TextLink>
          <Small>
            {`${request.app}/${request.channel} · ${text.requestedBy(request.proposedBy)}, `}
            <When at={request.proposedAt} />
          </Small>
        </Notice>
      ))}
    </Stack>
  )
}
