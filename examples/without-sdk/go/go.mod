module example.com/approval

go 1.19
