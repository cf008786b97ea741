import { Badge, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../shared/wording/format.ts'
import { server } from '../bridge/clients.ts'
import { text } from './strings.ts'

/** How many change requests wait for this person; nothing for none. */
export function PendingBadge() {
  const { data = 0 } = useQuery(server.changeRequests.pending.queryOptions())
  if (data === 0) return null
  return (
    <Badge size="sm" variant="filled" circle ml="auto">
      <span aria-hidden="true">{formatCount(data)}</span>
      <VisuallyHidden>{text.pending(data)}</VisuallyHidden>
    </Badge>
  )
}
