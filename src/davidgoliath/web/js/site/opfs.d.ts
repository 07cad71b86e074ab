// What only workers have, and TypeScript's library for pages doesn't know.

interface FileSystemSyncAccessHandle {
  read(into: ArrayBufferView, where: { at: number }): number;
  write(from: ArrayBufferView, where: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}
