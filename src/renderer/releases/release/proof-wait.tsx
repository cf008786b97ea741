import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconShieldQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import { useAccess } from '../../bridge/access.ts'
import { serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
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
  const keep = useChange(serverClient.releases.changeServing.mutate, {
    done: () => text.proof.kept(version),
    failed: () => text.proof.notKept(version),
    onDone: () => setAsked(false),
  })
  return (
    <Alert
      variant="light"
      color="yellow"
      mb="md"
      icon={<IconShieldQuestion aria-hidden="true" />}
      title={text.proof.waitTitle}
    >
      <Stack gap="xs" align="start">
        <Text size="sm">
          {failed > 0 ? text.proof.waitFailed(failed, release.artifacts.length) : text.proof.wait}
        </Text>
        {mayServe && (
          <Button variant="default" size="xs" onClick={() => setAsked(true)}>
            {text.proof.keep}
          </Button>
        )}
      </Stack>
      <ConfirmDialog
        opened={asked}
        destructive={false}
        title={text.proof.keepTitle(version)}
        action={text.proof.keep}
        change={keep}
        onConfirm={() => keep.send({ app, channel, version, status: 'paused', seenChange })}
        onClose={() => setAsked(false)}
      >
        {text.proof.keepEffect}
      </ConfirmDialog>
    </Alert>
  )
}
