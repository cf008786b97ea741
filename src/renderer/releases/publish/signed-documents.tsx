import { Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import { IconButton } from '../../components/blocks.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { text } from './strings.ts'

interface Props {
  readonly value: readonly SignedDocument[]
  readonly onChange: (documents: readonly SignedDocument[]) => void
}

/** The manifests, appcasts and lists that are published with a release and served unchanged. */
export function SignedDocuments({ value, onChange }: Props) {
  if (value.length === 0) return null
  return (
    <Stack gap="xs" mt="md">
      <Quiet>{text.signedDocuments}</Quiet>
      {value.map((document) => (
        <Group key={document.name} gap="xs">
          <Text size="sm">{document.name}</Text>
          <IconButton
            icon={IconTrash}
            color="tide"
            aria-label={text.removeDocument(document.name)}
            onClick={() => onChange(value.filter((each) => each !== document))}
          />
        </Group>
      ))}
    </Stack>
  )
}
