import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { server } from '../bridge/clients.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PolicyForm } from './policy-form.tsx'
import { text } from './strings.ts'

interface Props extends DialogProps {
  readonly app: string
  readonly channel: string
}

/** Edits the policy that every decision on a channel follows. */
export function PolicyDialog({ app, channel, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={text.policy.title(channel)} size="lg">
      <CurrentPolicy app={app} channel={channel} onClose={onClose} />
    </Dialog>
  )
}

function CurrentPolicy({ app, channel, onClose }: Omit<Props, 'opened'>) {
  const detail = useQuery(server.channels.policy.queryOptions({ app, channel }))
  const [reviews, setReviews] = useState(0)
  return (
    <Loaded query={detail}>
      {(current) => (
        <PolicyForm
          key={reviews}
          app={app}
          channel={channel}
          current={current}
          onReview={() => setReviews(reviews + 1)}
          onClose={onClose}
        />
      )}
    </Loaded>
  )
}
