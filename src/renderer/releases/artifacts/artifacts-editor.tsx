import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { isBaseAddress } from './address.ts'
import type { ArtifactDraft } from './artifact.ts'
import { ArtifactRow, type RowActions } from './artifact-row.tsx'
import { type ArtifactIssues, twinIssues } from './draft.ts'
import { DropZone } from './drop-zone.tsx'
import { ImportAlert, WarningsAlert } from './import-alert.tsx'
import type { ImportRemark } from './imported.ts'
import { text } from './strings.ts'
import type { HashJob } from './use-hashing.ts'
import type { ArtifactWarning } from './warnings.ts'

interface Props {
  readonly value: readonly ArtifactDraft[]
  readonly base: string
  readonly version: string
  readonly issues: ReadonlyMap<string, ArtifactIssues>
  /** What the last import left out, or what it still lacks. */
  readonly remarks: readonly ImportRemark[]
  readonly warnings: readonly ArtifactWarning[]
  readonly jobs: ReadonlyMap<string, HashJob>
  readonly actions: RowActions
  readonly onBase: (base: string) => void
  readonly onAdd: () => void
  readonly onFiles: (files: File[]) => void
}

/** The files of a release: by hand, from manifests, or from the built files themselves. */
export function ArtifactsEditor(props: Props) {
  const { value, base, version, issues, remarks, warnings, jobs, actions } = props
  const asksForBase = base !== '' || value.some(({ relative }) => relative !== '')
  const twins = useMemo(() => twinIssues(value), [value])
  return (
    <Stack gap="md">
      <DropZone onFiles={props.onFiles} />
      <ImportAlert remarks={remarks} />
      <WarningsAlert warnings={warnings} version={version} />
      {asksForBase && (
        <TextInput
          label={text.baseUrl}
          description={text.baseUrlHint}
          placeholder={text.baseUrlExample}
          value={base}
          error={isBaseAddress(base) ? undefined : text.baseUrlIssue}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => props.onBase(currentTarget.value)}
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
          actions={actions}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={props.onAdd}
        >
          {text.add}
        </Button>
      </Group>
    </Stack>
  )
}
