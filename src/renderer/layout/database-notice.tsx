import { Alert, Code, Text } from '@mantine/core'
import { IconDatabaseX } from '@tabler/icons-react'
import type { DatabaseTrouble } from '../../shared/database-file.ts'
import { When } from '../components/when.tsx'
import { DATABASE_WORDS } from './strings.ts'

/** Shows that the database file of the running server is missing, replaced or emptied. */
export function DatabaseNotice({ database }: { readonly database: DatabaseTrouble | null }) {
  if (database === null) return null
  const { title, fix } = DATABASE_WORDS[database.issue]
  return (
    <Alert color="red" icon={<IconDatabaseX aria-hidden="true" />} title={title}>
      <Text size="sm">
        <Code>{database.file}</Code>, noticed <When at={database.since} />. Changes and check-ins
        cannot be saved. Update checks are still answered. {fix}
      </Text>
    </Alert>
  )
}
