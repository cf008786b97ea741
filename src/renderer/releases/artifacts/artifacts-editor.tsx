import { Alert, Button, Group, List, Stack, TextInput } from '@mantine/core'
import { IconInfoCircle, IconPlus } from '@tabler/icons-react'
import { baseAddressIssue } from './address.ts'
import { ArtifactRow } from './artifact-row.tsx'
import { type ArtifactDraft, type ArtifactIssues, newArtifact, twinIssues } from './draft.ts'
import { DropZone } from './drop-zone.tsx'
import { withBase } from './rows.ts'
import type { HashJob } from './use-hashing.ts'

interface Props {
  readonly value: readonly ArtifactDraft[]
  readonly base: string
  readonly issues: ReadonlyMap<string, ArtifactIssues>
  /** What the last import left out, or what it still lacks. */
  readonly remarks: readonly string[]
  readonly jobs: ReadonlyMap<string, HashJob>
  readonly onChange: (artifacts: readonly ArtifactDraft[], base: string) => void
  readonly onFiles: (files: File[]) => void
  readonly onHash: (id: string, file: File) => void
  readonly onCancelHash: (id: string) => void
  readonly onRemove: (id: string) => void
}

/** The files of a release: by hand, from manifests, or from the built files themselves. */
export function ArtifactsEditor(props: Props) {
  const { value, base, issues, remarks, jobs, onChange } = props
  const asksForBase = base !== '' || value.some(({ relative }) => relative !== '')
  const twins = twinIssues(value)
  const edit = (id: string, parts: Partial<ArtifactDraft>) =>
    onChange(
      value.map((row) => (row.id === id ? { ...row, ...parts } : row)),
      base,
    )
  return (
    <Stack gap="md">
      <DropZone onFiles={props.onFiles} />
      {remarks.length > 0 && (
        <Alert
          role="status"
          variant="light"
          icon={<IconInfoCircle aria-hidden="true" />}
          title="Taken in, with this to know"
        >
          <List size="sm">
            {remarks.map((remark) => (
              <List.Item key={remark}>{remark}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {asksForBase && (
        <TextInput
          label="Base address"
          description="The folder on the web from which devices download the files. The file names follow it."
          placeholder="https://downloads.example.com/editor/1.4.0/"
          value={base}
          error={baseAddressIssue(base) || undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) =>
            onChange(withBase(value, base, currentTarget.value), currentTarget.value)
          }
        />
      )}
      {value.map((row, index) => (
        <ArtifactRow
          key={row.id}
          number={index + 1}
          value={row}
          issues={issues.get(row.id)}
          twin={twins.get(row.id)}
          job={jobs.get(row.id)}
          onChange={(parts) => edit(row.id, parts)}
          onRemove={() => props.onRemove(row.id)}
          onHash={(file) => props.onHash(row.id, file)}
          onCancelHash={() => props.onCancelHash(row.id)}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...value, newArtifact()], base)}
        >
          Add an artifact
        </Button>
      </Group>
    </Stack>
  )
}
