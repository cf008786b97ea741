import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Release } from '../../../shared/release.ts'
import { draftOf, readTargets } from '../targets/draft.ts'
import { targetsInWords } from '../targets/strings.ts'
import { TargetsEditor } from '../targets/targets-editor.tsx'
import type { ServingStep } from './change.ts'

interface Props {
  readonly release: Release
  readonly onStep: (step: ServingStep) => void
}

/** Whom a release is meant for: the sentence, and the editor behind a button. */
export function TargetsPart({ release, onStep }: Props) {
  const [editing, setEditing] = useState(false)
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          <Text span fw={600}>
            {editing
              ? 'Targets'
              : release.status === 'rolled_back'
                ? 'Was meant for: '
                : 'Meant for: '}
          </Text>
          {!editing && targetsInWords(release.targets)}
        </Text>
        {!editing && release.status !== 'rolled_back' && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            Edit targets
          </Button>
        )}
      </Group>
      {editing && (
        <TargetsForm release={release} onStep={onStep} onClose={() => setEditing(false)} />
      )}
    </Stack>
  )
}

function TargetsForm({ release, onStep, onClose }: Props & { onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(release.targets))
  const [tried, setTried] = useState(false)
  const submit = () => {
    const read = readTargets(draft)
    setTried(true)
    if (read.ok) onStep({ part: 'targets', targets: read.targets })
  }
  return (
    <>
      <TargetsEditor
        value={draft}
        showIssues={tried}
        offered={release.offered ? release.targets : undefined}
        onChange={setDraft}
      />
      <Group justify="end" gap="xs">
        <Button variant="default" size="xs" onClick={onClose}>
          Keep the targets
        </Button>
        <Button size="xs" onClick={submit}>
          Change targets
        </Button>
      </Group>
    </>
  )
}
