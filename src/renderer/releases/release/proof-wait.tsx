import { Text } from '@mantine/core'
import { IconShieldQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import { useAccess } from '../../bridge/access.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ChangeDialog } from '../../components/dialog/confirm-dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { text } from './strings.ts'
import { useProof } from './use-proof.ts'

/** Says that a release is paused until it is proven, or that it cannot be, and offers to keep it paused. */
export function ProofWait({ detail }: { readonly detail: ReleaseDetail }) {
  const { release, lastChange: seenChange } = detail
  const { app, channel, version } = release
  const { proof } = useProof(release)
  const failed = proof?.artifacts.filter(({ state }) => state === 'failed').length ?? 0
  const [asked, setAsked] = useState(false)
  const mayServe = useAccess().may('release_manager', app) && !detail.archived
  return (
    <Notice
      icon={IconShieldQuestion}
      mb="md"
      title={text.proof.waitTitle}
      action={mayServe && { name: text.proof.keep, onClick: () => setAsked(true) }}
    >
      <Text size="sm">
        {failed > 0 ? text.proof.waitFailed(failed, release.artifacts.length) : text.proof.wait}
      </Text>
      <ChangeDialog
        opened={asked}
        destructive={false}
        title={text.proof.keepTitle(version)}
        action={text.proof.keep}
        send={() =>
          serverClient.releases.changeServing.mutate({
            ...{ app, channel, version, status: 'paused', seenChange },
          })
        }
        done={text.proof.kept(version)}
        failed={text.proof.notKept(version)}
        onClose={() => setAsked(false)}
      >
        {text.proof.keepEffect}
      </ChangeDialog>
    </Notice>
  )
}
