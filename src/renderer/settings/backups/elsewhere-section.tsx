import { List, Stack, Text } from '@mantine/core'
import { Panel } from '../../components/panel.tsx'
import { Quiet } from '../../components/text/quiet.tsx'
import { text } from './strings.ts'

interface Props {
  /** Whether the server stores files, which are not in the database. */
  readonly storesFiles: boolean
}

/** In place of the backups, for a database that is backed up with its own tools. */
export function ElsewhereSection({ storesFiles }: Props) {
  return (
    <Panel title={text.title}>
      <Stack gap="xs">
        <Text size="sm">{text.elsewhere}</Text>
        <List size="sm" spacing={4}>
          {text.elsewhereTools.map((tool) => (
            <List.Item key={tool}>{tool}</List.Item>
          ))}
        </List>
        {storesFiles && <Text size="sm">{text.elsewhereFiles}</Text>}
        <Quiet>{text.elsewhereGuide}</Quiet>
      </Stack>
    </Panel>
  )
}
