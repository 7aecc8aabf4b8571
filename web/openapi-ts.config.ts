import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig({
  input: './web/openapi.json',
  output: { path: './web/src/api/generated', clean: true },
  plugins: [
    { name: '@hey-api/client-fetch', bundle: true, runtimeConfigPath: '../client-config' },
    { name: '@hey-api/typescript', enums: false },
    '@hey-api/sdk',
    { name: '@tanstack/react-query', queryKeys: true, mutationOptions: false },
  ],
})
